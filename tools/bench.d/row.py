"""A figure of the table, with its bound and its peer."""
from dataclasses import dataclass
from typing import Optional


@dataclass
class Row:
  """One line of the table: our figure, the peer's, and the bound.

  `bound` is an upper limit of our figure, or of the ratio if `on_ratio` is set. The ratio is ours ÷ peer's. If
  `faster` is set it is the inverse, how many times faster we are, and the bound is a lower limit.
  """
  figure: str
  ours: float
  unit: str
  bound: Optional[float] = None
  peer: Optional[float] = None
  peer_name: str = ""
  on_ratio: bool = False
  faster: bool = False

  @property
  def ratio(self):
    if not self.peer or not self.ours:
      return None
    return self.peer / self.ours if self.faster else self.ours / self.peer

  @property
  def ok(self):
    """None if there is no bound."""
    if self.bound is None:
      return None
    value = self.ratio if self.on_ratio else self.ours
    if value is None:
      return False
    return value >= self.bound if self.faster and self.on_ratio else value <= self.bound

  @property
  def bound_text(self):
    if self.bound is None:
      return ""
    sign = "≥" if self.faster and self.on_ratio else "≤"
    unit = "×" if self.on_ratio else self.unit
    return f"{sign} {short(self.bound)} {unit}"


def short(number):
  """Formats with three significant digits."""
  if number is None:
    return ""
  size = abs(number)
  digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.1 else 3
  text = f"{number:.{digits}f}"
  return text.rstrip("0").rstrip(".") if "." in text else text
