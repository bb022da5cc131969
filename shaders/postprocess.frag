// The picture, finished. SMOOTH softens jagged edges where there is no multisampling, OUTLINE draws a line around what
// the mask covers.
#version 330 core

uniform sampler2D u_picture;
uniform sampler2D u_mask;
uniform vec3 u_outline;            // colour of the line

out vec4 out_colour;

float brightness(vec3 colour) {
    return dot(colour, vec3(0.299, 0.587, 0.114));
}

#ifdef SMOOTH
// the mean along an edge, where one runs through this pixel: brightness falls across it
vec3 smoothed(ivec2 here, vec2 at, vec2 pixel, vec3 colour) {
    ivec2 last = textureSize(u_picture, 0) - 1;
    ivec2 low = max(here - 1, ivec2(0)), high = min(here + 1, last);
    float nw = brightness(texelFetch(u_picture, ivec2(low.x, high.y), 0).rgb);
    float ne = brightness(texelFetch(u_picture, high, 0).rgb);
    float sw = brightness(texelFetch(u_picture, low, 0).rgb);
    float se = brightness(texelFetch(u_picture, ivec2(high.x, low.y), 0).rgb);
    float lowest = min(min(nw, ne), min(sw, se)), highest = max(max(nw, ne), max(sw, se));
    // a loop of no length costs nothing, where a skipped branch does on software renderers
    int turns = highest - lowest > max(0.02, 0.06 * highest) ? 1 : 0;
    for (int k = 0; k < turns; k++) {
        vec2 edge = vec2(sw + se - nw - ne, nw + sw - ne - se);
        float least = min(abs(edge.x), abs(edge.y)) + 0.03 * (nw + ne + sw + se) + 0.004;
        edge = clamp(edge / least, -6.0, 6.0) * pixel;
        vec3 near = texture(u_picture, at - edge / 6.0).rgb + texture(u_picture, at + edge / 6.0).rgb;
        vec3 far = texture(u_picture, at - 0.5 * edge).rgb + texture(u_picture, at + 0.5 * edge).rgb;
        vec3 wide = 0.25 * (near + far);
        float value = brightness(wide);
        // the far ends may lie beyond the edge
        colour = value < lowest || value > highest ? 0.5 * near : wide;
    }
    return colour;
}
#endif

void main() {
    vec2 pixel = 1.0 / vec2(textureSize(u_picture, 0)), at = gl_FragCoord.xy * pixel;
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec3 colour = texelFetch(u_picture, here, 0).rgb;
#ifdef SMOOTH
    colour = smoothed(here, at, pixel, colour);
#endif
#ifdef OUTLINE
    // how much of a small square around this pixel is covered: the line is where some is and not all
    float covered = 0.0;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            covered += texture(u_mask, at + 1.3 * vec2(x, y) * pixel).r;
        }
    }
    covered /= 9.0;
    colour = mix(colour, u_outline, clamp(3.2 * min(covered, 1.0 - covered), 0.0, 1.0));
#endif
    out_colour = vec4(colour, 1.0);
}
