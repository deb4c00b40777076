// Metering
