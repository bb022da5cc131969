// Blinn-Phong highlights: strength and exponent from shininess or roughness.

// normalised: narrower highlights are brighter
vec2 highlight(float strength, float exponent) {
    return vec2(strength * (exponent + 8.0) / 144.0, exponent);
}

vec2 rough_highlight(float roughness, float metallic) {
    float rough = max(roughness, 0.05);
    return highlight(mix(0.35, 1.0, metallic), max(2.0 / (rough * rough * rough * rough) - 2.0, 1.0));
}
