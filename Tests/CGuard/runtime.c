#define _GNU_SOURCE
#include "guarded.h"

/* The functions of the Swift runtime that compiled code calls. */

GUARD(references, swift_retain)
GUARD(references, swift_retain_n)
GUARD(references, swift_tryRetain)
GUARD(references, swift_release)
GUARD(references, swift_release_n)
GUARD(references, swift_bridgeObjectRetain)
GUARD(references, swift_bridgeObjectRetain_n)
GUARD(references, swift_bridgeObjectRelease)
GUARD(references, swift_bridgeObjectRelease_n)
GUARD(references, swift_unownedRetain)
GUARD(references, swift_unownedRetainStrong)
GUARD(references, swift_unownedRelease)
GUARD(references, swift_weakLoadStrong)
GUARD(references, swift_weakAssign)

GUARD(objects, swift_allocObject)
GUARD(objects, swift_allocBox)
GUARD(objects, swift_slowAlloc)
GUARD(objects, swift_slowDealloc)
GUARD(objects, swift_deallocObject)
GUARD(objects, swift_deallocClassInstance)

GUARD(accesses, swift_beginAccess)

GUARD(onces, swift_once)

GUARD(metadata, swift_getGenericMetadata)
GUARD(metadata, swift_getTypeByMangledNameInContext)
GUARD(metadata, swift_getTypeByMangledNameInContext2)
GUARD(metadata, swift_getWitnessTable)
GUARD(metadata, swift_getAssociatedTypeWitness)
GUARD(metadata, swift_conformsToProtocol2)
GUARD(metadata, swift_dynamicCast)
GUARD(metadata, swift_dynamicCastClass)
