// OSC
