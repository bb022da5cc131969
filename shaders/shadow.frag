// Shadow map: depth only. Transparent casters are dithered by alpha over 2 x 2 texels, which the shadow filter averages.
#version 330 core

#ifdef TRANSPARENT
flat in float v_opacity;
flat in ivec2 v_offset;
#endif

void main() {
#ifdef TRANSPARENT
    ivec2 texel = ivec2(gl_FragCoord.xy) + v_offset;
    // ordered dither: one corner, the opposite one, then the others
    int rank = ((texel.x ^ texel.y) & 1) << 1 | (texel.y & 1);
    if (4.0 * v_opacity < float(rank) + 0.5) discard;
#endif
}
