/// What the Toolkit says of the platform: on Linux, it could share images with EGL.
#pragma once

#if defined(__linux__)
#define isEglSupported 1
#endif
