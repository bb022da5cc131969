// Depth only. What can be seen through leaves out texels of each square of 2 x 2, which the filter of shadows evens
// out: light passes as it does to the eye.
#version 330 core

#ifdef TRANSPARENT
flat in float v_opacity;
flat in ivec2 v_start;
#endif

void main() {
#ifdef TRANSPARENT
    ivec2 at = ivec2(gl_FragCoord.xy) + v_start;
    // first one corner, then the one across, then the others
    int rank = ((at.x ^ at.y) & 1) << 1 | (at.y & 1);
    if (4.0 * v_opacity < float(rank) + 0.5) discard;
#endif
}
