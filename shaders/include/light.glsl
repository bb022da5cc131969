// Lighting of a surface point by the model's lights and the headlight. All colours are linear.

// LIGHTS is the number of lights, the first SHADOWS of them cast shadows, LIGHT_TYPES are their types: defines, so that
// loops unroll and software renderers pay for no branch
const int SPOT = 0;
const int DIRECTIONAL = 1;
const int TYPE[LIGHTS] = int[LIGHTS](LIGHT_TYPES);

uniform vec3 u_light_position[LIGHTS];
uniform vec4 u_light_direction[LIGHTS];    // xyz, cosine of the cutoff
uniform vec4 u_light_diffuse[LIGHTS];      // rgb, exponent
uniform vec3 u_light_specular[LIGHTS];
uniform vec3 u_light_attenuation[LIGHTS];
uniform vec3 u_ambient;                    // of all lights and the headlight
uniform vec3 u_head_diffuse;
uniform vec3 u_head_specular;

struct Surface {
    vec3 position;
    vec3 normal;
    vec3 to_eye;
    vec3 diffuse;
    vec3 specular;                         // intensity of the highlight
    float exponent;
    float occlusion;                       // ambient occlusion, 1 is unoccluded
};

vec3 blinn_phong(Surface s, vec3 to_light, vec3 diffuse, vec3 specular) {
    float facing = max(dot(s.normal, to_light), 0.0);
    float d = max(dot(s.normal, normalize(to_light + s.to_eye)), 1e-4);
    return facing * (s.diffuse * diffuse + s.specular * specular * pow(d, s.exponent));
}

vec3 headlight(Surface s) {
    float facing = max(dot(s.normal, s.to_eye), 1e-4);
    return facing * (s.diffuse * u_head_diffuse + s.specular * u_head_specular * pow(facing, s.exponent));
}

vec3 light(Surface s, const int i) {
    vec3 to_light = -u_light_direction[i].xyz;
    float intensity = 1.0;
    if (TYPE[i] != DIRECTIONAL) {
        vec3 offset = u_light_position[i] - s.position;
        float distance = length(offset);
        to_light = offset / max(distance, 1e-6);
        intensity = 1.0 / max(dot(u_light_attenuation[i], vec3(1.0, distance, distance * distance)), 1e-3);
        if (TYPE[i] == SPOT) {
            float along = dot(-to_light, u_light_direction[i].xyz), edge = u_light_direction[i].w;
            intensity *= pow(max(along, 1e-4), u_light_diffuse[i].w);
            intensity *= smoothstep(edge, mix(edge, 1.0, 0.15), along);
        }
    }
#if SHADOWS > 0
    if (i < SHADOWS) {
        intensity *= shadow(i, s.position, to_light, dot(s.normal, to_light));
    }
#endif
    return intensity * blinn_phong(s, to_light, u_light_diffuse[i].rgb, u_light_specular[i]);
}

vec3 illuminate(Surface s) {
    vec3 colour = s.occlusion * (s.diffuse * u_ambient * sky_ambient(s.normal) + headlight(s));
    for (int i = 0; i < LIGHTS; i++) {
        colour += light(s, i);
    }
    return colour;
}
