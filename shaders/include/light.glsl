// Lights of the model and the headlight on one surface point. All colours linear.

// LIGHTS is their number: a define, so that loops unroll and indices are constants
const int DIRECTIONAL = 1;
const int SPOT = 0;

uniform vec4 u_light_position[LIGHTS];     // xyz, kind
uniform vec4 u_light_direction[LIGHTS];    // xyz, cosine of the cutoff
uniform vec4 u_light_diffuse[LIGHTS];      // rgb, exponent
uniform vec3 u_light_specular[LIGHTS];
uniform vec3 u_light_attenuation[LIGHTS];
uniform vec3 u_ambient;                        // of all lights and the headlight
uniform vec3 u_head_diffuse;
uniform vec3 u_head_specular;

struct Surface {
    vec3 position;
    vec3 normal;
    vec3 to_eye;
    vec3 albedo;
    float specular;
    float shininess;
};

// Blinn-Phong with a highlight that keeps its energy as it narrows
float highlight(Surface s, vec3 to_light) {
    float exponent = max(s.shininess * 128.0, 1.0);
    float d = max(dot(s.normal, normalize(to_light + s.to_eye)), 0.0);
    return s.specular * pow(d, exponent) * (exponent + 8.0) / 72.0;
}

vec3 headlight(Surface s) {
    float facing = max(dot(s.normal, s.to_eye), 0.0);
    return facing * (s.albedo * u_head_diffuse + u_head_specular * 0.35 * highlight(s, s.to_eye));
}

vec3 direction_to_light(Surface s, int i) {
    bool parallel = int(u_light_position[i].w) == DIRECTIONAL;
    return parallel ? -u_light_direction[i].xyz : normalize(u_light_position[i].xyz - s.position);
}

vec3 light(Surface s, int i) {
    int kind = int(u_light_position[i].w);
    vec3 to_light = direction_to_light(s, i);
    float strength = 1.0;
    if (kind != DIRECTIONAL) {
        float distance = length(u_light_position[i].xyz - s.position);
        strength = 1.0 / max(dot(u_light_attenuation[i], vec3(1.0, distance, distance * distance)), 1e-3);
        if (kind == SPOT) {
            float along = dot(-to_light, u_light_direction[i].xyz), edge = u_light_direction[i].w;
            strength *= pow(max(along, 0.0), u_light_diffuse[i].w);
            strength *= smoothstep(edge, mix(edge, 1.0, 0.15), along);
        }
    }
    float facing = max(dot(s.normal, to_light), 0.0);
    return strength * facing * (s.albedo * u_light_diffuse[i].rgb + u_light_specular[i] * highlight(s, to_light));
}

vec3 illuminate(Surface s) {
    vec3 colour = s.albedo * u_ambient * sky_ambient(s.normal) + headlight(s);
    vec3 first = light(s, 0);
#ifdef SHADOW
    first *= shadow(s.position, s.normal, dot(s.normal, direction_to_light(s, 0)));
#endif
    colour += first;
    for (int i = 1; i < LIGHTS; i++) {
        colour += light(s, i);
    }
    return colour;
}
