#pragma once
#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/thread.h>
#include <jack/uuid.h>
