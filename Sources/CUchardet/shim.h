#pragma once
#include <iconv.h>
#include <uchardet.h>
