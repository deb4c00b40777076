"""The table on the screen and the file of figures."""
import csv
import datetime
import os
import sys

from row import short

HEADINGS = ("figure", "ours", "bound", "peer", "", "ratio", "")


def show(groups):
  """Prints (title, rows) groups as one table."""
  lines = [(title, [cells(row) for row in rows]) for title, rows in groups if rows]
  every = [HEADINGS] + [line for _, some in lines for line in some]
  widths = [max(len(line[i]) for line in every) for i in range(len(HEADINGS))]
  print(layout(HEADINGS, widths))
  for title, some in lines:
    print(f"── {title} ".ljust(sum(widths) + 2 * (len(widths) - 1), "─"))
    for line in some:
      print(coloured(layout(line, widths), line[-1]))


def cells(row):
  ok = {None: "", True: "ok", False: "NOT"}[row.ok]
  peer = f"{short(row.peer)} {row.unit}" if row.peer is not None else ""
  ratio = f"{short(row.ratio)} ×" if row.ratio else ""
  return (row.figure, f"{short(row.ours)} {row.unit}", row.bound_text, peer, row.peer_name, ratio, ok)


def layout(line, widths):
  right = {1, 2, 3, 5}
  return "  ".join(
    text.rjust(width) if i in right else text.ljust(width)
    for i, (text, width) in enumerate(zip(line, widths))).rstrip()


def coloured(text, ok):
  if not sys.stdout.isatty() or not ok:
    return text
  return f"\033[{32 if ok == 'ok' else 31}m{text}\033[0m"


def write(path, groups, machine):
  """Writes a row for each figure; figures of an earlier run that this one did not measure stay."""
  columns = ["figure", "ours", "peer", "ratio", "unit", "bound", "ok", "peer name", "machine", "date"]
  kept = {}
  if os.path.exists(path):
    with open(path, newline="") as file:
      kept = {row["figure"]: row for row in csv.DictReader(file)}
  date = datetime.date.today().isoformat()
  for title, rows in groups:
    for row in rows:
      name = f"{title}: {row.figure}"
      kept[name] = {
        "figure": name, "ours": number(row.ours), "peer": number(row.peer), "ratio": number(row.ratio),
        "unit": row.unit, "bound": row.bound_text, "ok": {None: "", True: "ok", False: "not"}[row.ok],
        "peer name": row.peer_name, "machine": machine, "date": date,
      }
  with open(path, "w", newline="") as file:
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(kept.values())


def number(value):
  return "" if value is None else f"{value:.4g}"
