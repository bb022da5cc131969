// Minimum depth of each block of the shadow map, or, with DILATE, of a neighbourhood of blocks: coarse maps for the
// blocker search that miss no thin blocker.
#version 330 core

uniform sampler2D u_depth;

out float out_depth;

#ifdef DILATE
const int FIRST = -3, LAST = 3, STEP = 1;
#else
const int FIRST = 0, LAST = BLOCK - 1, STEP = BLOCK;
#endif

void main() {
    ivec2 corner = STEP * ivec2(gl_FragCoord.xy), limit = textureSize(u_depth, 0) - 1;
    float depth = 1.0;
    for (int y = FIRST; y <= LAST; y++) {
        for (int x = FIRST; x <= LAST; x++) {
            depth = min(depth, texelFetch(u_depth, clamp(corner + ivec2(x, y), ivec2(0), limit), 0).r);
        }
    }
    out_depth = depth;
}
