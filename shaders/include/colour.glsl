// Colour spaces. Colours in models are sRGB; light adds up in linear space.

vec3 to_linear(vec3 srgb) {
    return mix(srgb / 12.92, pow((srgb + 0.055) / 1.055, vec3(2.4)), step(0.04045, srgb));
}

vec3 to_srgb(vec3 linear) {
    vec3 x = clamp(linear, 0.0, 1.0);
    return mix(12.92 * x, 1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, x));
}

// faithful up to the knee, then a shoulder that never clips
vec3 tone_map(vec3 x) {
    const float knee = 0.7;
    vec3 over = max(x - knee, 0.0);
    return min(x, knee) + (1.0 - knee) * over / (over + (1.0 - knee));
}

// a well-spread noise in [0, 1) from pixel coordinates
float pixel_noise(vec2 pixel) {
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}
