// Particles
