#!/bin/sh
# Connects SOURCE1 … to visgraph:in_1 …, in this order; without arguments the sound card's inputs, as far as both exist.
#   connect.sh                                  connect.sh ardour:Kick/audio_out\ 1 ardour:Snare/audio_out\ 1
set -u
ports=$(jack_lsp) || { echo "connect.sh: no JACK server answers" >&2; exit 1; }
if [ $# -eq 0 ]; then
  set -- system:capture_1 system:capture_2 system:capture_3 system:capture_4 \
    system:capture_5 system:capture_6 system:capture_7 system:capture_8
fi

made=0
number=0
for source in "$@"; do
  number=$((number + 1))
  input="visgraph:in_$number"
  for port in "$source" "$input"; do
    printf '%s\n' "$ports" | grep -Fxq -- "$port" || { echo "connect.sh: there is no $port" >&2; continue 2; }
  done
  if jack_lsp -c "$input" | grep -Fxq -- "   $source"; then
    echo "$source is already on $input"
  else
    jack_connect "$source" "$input" && echo "$source -> $input" || continue
  fi
  made=$((made + 1))
done
[ "$made" -gt 0 ]
