"""The renderer: a draw list and a view in, a picture out, in a window as off screen.

Passes: the shadow map of the first light that casts one; sky, planes, opaque and see-through instances, then what
is laid over them, in linear light into a multisampled floating-point buffer; then developing, which maps tones to
sRGB on the target. Instances of a batch are uploaded once a frame and used by every pass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import moderngl
import numpy as np

from app.camera import View
from app.instances import INSTANCE_FLOATS, NO_TEXTURE, Batch
from app.render.device import Programs, gentle_wait, set_uniforms, unbind_framebuffer
from app.render.meshes import Mesh, primitive_meshes
from app.render.model_meshes import model_meshes
from app.render.shadow import ShadowMap, light_camera, shadow_uniforms
from app.render.textures import Textures
from app.scene import DrawList
from app.snapshot import ModelView

SAMPLES = 4
SHADOW_SIZE = 2048
# texture units
UNIT_TEXTURE, UNIT_CUBE, UNIT_SKYBOX = range(3)
UNITS_SHADOW = (3, 4, 5)

VERTEX_LAYOUT = ("3f 3f 1f 2f", "in_position", "in_normal", "in_cap", "in_texcoord")
SHADOW_VERTEX_LAYOUT = ("3f 3x4 1f 2x4", "in_position", "in_cap")
INSTANCE_LAYOUT = (
    "3f 3f 3f 3f 4f 4f 4f 2f 3f /i",
    "i_position", "i_row0", "i_row1", "i_row2", "i_shape", "i_colour", "i_material", "i_repeat", "i_extent",
)  # fmt: skip
SHADOW_INSTANCE_LAYOUT = (
    "3f 3f 3f 3f 4f 13x4 /i", "i_position", "i_row0", "i_row1", "i_row2", "i_shape",
)  # fmt: skip

# lights in models are tuned for sums in display space; in linear light they need less fill, more key
EXPOSURE = 1.4
HEAD_SHARE = 0.55
AMBIENT_FLOOR = 0.05


@dataclass(frozen=True)
class _Shape:
    """Triangles on the GPU, and the defines that its shaders need."""

    vertices: moderngl.Buffer
    triangles: moderngl.Buffer
    defines: tuple[str, ...]
    open: bool

    def release(self) -> None:
        """Give the memory back."""
        self.vertices.release()
        self.triangles.release()


# shape, level of detail and number of the batch among those of equal shape and level
_Slot = tuple[str, int, int]


@dataclass(frozen=True)
class _Uploaded:
    """A batch on the GPU: which slot of the pool holds it."""

    batch: Batch
    slot: _Slot


@dataclass(frozen=True)
class _Lists:
    """All batches of a frame on the GPU."""

    opaque: list[_Uploaded]
    see_through: list[_Uploaded]
    planes: list[_Uploaded]
    overlay: list[_Uploaded]


@dataclass
class _Frame:
    """What the shaders of one frame share; `primed` are the programs that already know."""

    uniforms: dict[str, Any]
    defines: tuple[str, ...]
    primed: set[int] = field(default_factory=set)


class Renderer:
    """Draws scenes with one GL context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._programs = Programs(context)
        self._wait = gentle_wait(context)
        self._primitives = {key: self._shape(mesh) for key, mesh in primitive_meshes().items()}
        self._own_shapes: dict[str, _Shape] = {}
        self._pool: dict[_Slot, moderngl.Buffer] = {}
        self._arrays: dict[tuple[int, _Slot], moderngl.VertexArray] = {}
        self._screens: dict[int, moderngl.VertexArray] = {}
        self._shadow = ShadowMap(context, SHADOW_SIZE)
        self._model: ModelView | None = None
        self._textures: Textures | None = None
        self._size = (0, 0)
        self._light_buffers: list[Any] = []

    def draw(
        self,
        model: ModelView,
        scene: DrawList,
        view: View,
        target: moderngl.Framebuffer,
        viewport: tuple[int, int, int, int],
        shadow: bool = True,
    ) -> None:
        """Draw into the rectangle `viewport` (x, y from the lower left, width, height) of `target`."""
        width, height = viewport[2:]
        if width < 1 or height < 1:
            return
        self._use_model(model)
        self._resize((width, height))
        uploaded = self._upload(scene)
        uniforms = _view_uniforms(scene, view, width / height) | _light_uniforms(scene)
        defines: tuple[str, ...] = (f"LIGHTS {len(scene.lights)}",)
        if scene.skybox != NO_TEXTURE:
            defines += ("SKYBOX",)
        if shadow and scene.lights[0].shadow and uploaded.opaque:
            uniforms |= self._draw_shadow(scene, uploaded.opaque)
            defines += ("SHADOW",)
        self._draw_light(scene, _Frame(uniforms, defines), uploaded)
        self._draw_developed(target, viewport)

    def release(self) -> None:
        """Give back all memory of the GPU."""
        unbind_framebuffer(self._context)
        if self._textures:
            self._textures.release()
        self._release_own_shapes()
        arrays = [*self._arrays.values(), *self._screens.values(), *self._pool.values()]
        for item in [*arrays, *self._primitives.values(), *self._light_buffers, self._programs, self._shadow]:
            item.release()

    # resources

    def _use_model(self, model: ModelView) -> None:
        """Bring the textures and meshes of another model to the GPU."""
        if model is self._model:
            return
        if self._textures:
            self._textures.release()
        self._release_own_shapes()
        self._textures = Textures(self._context, model)
        self._own_shapes = {name: self._shape(mesh, own=True) for name, mesh in model_meshes(model).items()}
        self._model = model

    def _shape(self, mesh: Mesh, own: bool = False) -> _Shape:
        """A mesh on the GPU."""
        which = (("TEXCOORD", mesh.textured), ("OWN_SHAPE", own), ("OPEN", mesh.open))
        defines = tuple(name for name, true in which if true)
        vertices, triangles = (self._context.buffer(a.tobytes()) for a in (mesh.vertices, mesh.triangles))
        return _Shape(vertices, triangles, defines, mesh.open)

    def _release_own_shapes(self) -> None:
        """Forget the meshes of a model, and what was made for them."""
        for shader, slot in [key for key in self._arrays if key[1][0] in self._own_shapes]:
            self._arrays.pop((shader, slot)).release()
        for slot in [slot for slot in self._pool if slot[0] in self._own_shapes]:
            self._pool.pop(slot).release()
        for shape in self._own_shapes.values():
            shape.release()
        self._own_shapes = {}

    def _shape_of(self, batch: Batch) -> _Shape:
        return self._own_shapes.get(batch.shape) or self._primitives[batch.shape, batch.level]

    def _resize(self, size: tuple[int, int]) -> None:
        """Buffers for linear light: multisampled to draw into, plain to develop from."""
        if size == self._size:
            return
        unbind_framebuffer(self._context)
        for item in self._light_buffers:
            item.release()
        context, samples = self._context, min(SAMPLES, self._context.max_samples)
        colour = context.renderbuffer(size, 4, samples=samples, dtype="f2")
        depth = context.depth_renderbuffer(size, samples=samples)
        self._light = context.framebuffer([colour], depth)
        self._resolved = context.texture(size, 4, dtype="f2")
        self._resolved_target = context.framebuffer([self._resolved])
        self._light_buffers = [self._light, self._resolved_target, colour, depth, self._resolved]
        self._size = size

    def _upload(self, scene: DrawList) -> _Lists:
        """Write every batch into a buffer of the pool."""
        uploaded: list[list[_Uploaded]] = []
        counts: dict[tuple[str, int], int] = {}
        for batches in (scene.opaque, scene.see_through, scene.planes, scene.overlay):
            uploaded.append([])
            for batch in batches:
                number = counts.get((batch.shape, batch.level), 0)
                counts[batch.shape, batch.level] = number + 1
                slot = batch.shape, batch.level, number
                self._write(slot, batch.instances)
                uploaded[-1].append(_Uploaded(batch, slot))
        return _Lists(*uploaded)

    def _write(self, slot: _Slot, instances: np.ndarray[Any, Any]) -> None:
        """Fill a buffer of the pool, making or enlarging it as needed."""
        if slot not in self._pool:
            room = max(instances.nbytes, 4 * INSTANCE_FLOATS)
            self._pool[slot] = self._context.buffer(reserve=room, dynamic=True)
        buffer = self._pool[slot]
        if buffer.size < instances.nbytes:
            buffer.orphan(2 * instances.nbytes)
        else:
            buffer.orphan()
        buffer.write(np.ascontiguousarray(instances, dtype=np.float32))

    def _array(self, shader: moderngl.Program, item: _Uploaded, depth_only: bool) -> moderngl.VertexArray:
        """The vertex array of a shape with the instances of a slot."""
        key = (shader.glo, item.slot)
        if key not in self._arrays:
            shape = self._shape_of(item.batch)
            content = [
                (shape.vertices, *(SHADOW_VERTEX_LAYOUT if depth_only else VERTEX_LAYOUT)),
                (self._pool[item.slot], *(SHADOW_INSTANCE_LAYOUT if depth_only else INSTANCE_LAYOUT)),
            ]
            self._arrays[key] = self._context.vertex_array(shader, content, shape.triangles, skip_errors=True)
        return self._arrays[key]

    # passes

    def _draw_shadow(self, scene: DrawList, opaque: list[_Uploaded]) -> dict[str, Any]:
        """The depth that the first light sees."""
        camera = light_camera(scene.lights[0], scene.center, scene.radius, self._shadow.resolution)
        self._shadow.framebuffer.use()
        self._shadow.framebuffer.clear(depth=1.0)
        self._context.enable_only(moderngl.DEPTH_TEST)
        caster = self._programs.get("shadow.vert", "shadow.frag")
        set_uniforms(caster, {"u_light_projection": camera.matrix.T})
        for item in opaque:
            self._array(caster, item, depth_only=True).render(instances=len(item.batch.instances))
        self._wait()
        self._context.enable_only(moderngl.NOTHING)
        uniforms = {"u_depth": UNIT_TEXTURE}
        self._shadow.summarise(UNIT_TEXTURE, lambda *defines: self._draw_screen("nearest.frag", uniforms, *defines))
        return shadow_uniforms(camera, self._shadow.resolution)

    def _draw_light(self, scene: DrawList, frame: _Frame, lists: _Lists) -> None:
        """All surfaces, in linear light."""
        context = self._context
        self._light.use()
        self._light.clear(depth=1.0)
        self._shadow.bind(*UNITS_SHADOW)
        skybox = self._textures.get(scene.skybox) if self._textures else None
        if skybox is not None:
            skybox.use(UNIT_SKYBOX)
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        for item in lists.opaque:
            self._draw_batch(frame, item)
        # planes over what they cover, then the sky in what is left; see-through things over both
        context.enable(moderngl.BLEND)
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        for item in lists.planes:
            self._draw_batch(frame, item, "PLANE")
        context.disable(moderngl.BLEND | moderngl.CULL_FACE)
        self._draw_screen("sky.frag", frame.uniforms, *(d for d in frame.defines if d == "SKYBOX"))
        context.enable(moderngl.BLEND | moderngl.CULL_FACE)
        self._light.depth_mask = False
        for item in lists.see_through:
            self._draw_batch(frame, item)
        # the overlay faintly where it is hidden, then as it is where it is not
        context.depth_func = ">"
        for item in lists.overlay:
            self._draw_batch(frame, item, "HIDDEN")
        context.depth_func = "<"
        self._light.depth_mask = True
        for item in lists.overlay:
            self._draw_batch(frame, item)
        self._wait()

    def _draw_batch(self, frame: _Frame, item: _Uploaded, *defines: str) -> None:
        """One draw call, with the texture it needs."""
        texture = self._textures.get(item.batch.texture) if self._textures else None
        if texture is not None:
            flat = isinstance(texture, moderngl.Texture)
            texture.use(UNIT_TEXTURE if flat else UNIT_CUBE)
            defines += ("TEXTURE_2D" if flat else "TEXTURE_CUBE",)
            defines += ("BOX",) if item.batch.shape == "box" else ()
        shape = self._shape_of(item.batch)
        shader = self._programs.get("surface.vert", "surface.frag", *frame.defines, *defines, *shape.defines)
        if shader.glo not in frame.primed:
            set_uniforms(shader, frame.uniforms)
            frame.primed.add(shader.glo)
        if shape.open:
            self._context.disable(moderngl.CULL_FACE)
        self._array(shader, item, depth_only=False).render(instances=len(item.batch.instances))
        if shape.open:
            self._context.enable(moderngl.CULL_FACE)

    def _draw_screen(self, fragment: str, uniforms: dict[str, Any], *defines: str) -> None:
        """One triangle over the whole viewport."""
        shader = self._programs.get("screen.vert", fragment, *defines)
        if shader.glo not in self._screens:
            self._screens[shader.glo] = self._context.vertex_array(shader, [])
        set_uniforms(shader, uniforms)
        self._screens[shader.glo].render(vertices=3)

    def _draw_developed(self, target: moderngl.Framebuffer, viewport: tuple[int, int, int, int]) -> None:
        """Resolve the samples, then map light to the screen."""
        self._context.copy_framebuffer(self._resolved_target, self._light)
        target.use()
        target.viewport = viewport
        self._context.enable_only(moderngl.NOTHING)
        self._resolved.use(UNIT_TEXTURE)
        self._wait()
        self._draw_screen("develop.frag", {"u_light": UNIT_TEXTURE})
        self._wait()


def _view_uniforms(scene: DrawList, view: View, aspect: float) -> dict[str, Any]:
    """The camera, the sky and the texture units."""
    half_height = np.tan(np.radians(view.fovy) / 2)
    rays = view.axes * (aspect * half_height, half_height, -1.0)
    return {
        "u_view_projection": (view.projection_matrix(aspect) @ view.view_matrix()).T,
        "u_rays": rays.T,
        "u_eye": tuple(view.eye),
        "u_far": view.far,
        "u_haze": scene.haze,
        "u_grid": 10.0 ** np.floor(np.log10(max(scene.radius, 1e-6)) + 0.3),
        "u_texture": UNIT_TEXTURE,
        "u_cube": UNIT_CUBE,
        "u_skybox": UNIT_SKYBOX,
        "u_shadow_compare": UNITS_SHADOW[0],
        "u_shadow_nearest": UNITS_SHADOW[1],
        "u_shadow_around": UNITS_SHADOW[2],
    }


def _light_uniforms(scene: DrawList) -> dict[str, Any]:
    """All lights as arrays."""
    lights, head = scene.lights, scene.headlight
    position, direction, diffuse = (np.zeros((len(lights), 4), np.float32) for _ in range(3))
    specular, attenuation = (np.zeros((len(lights), 3), np.float32) for _ in range(2))
    for i, light in enumerate(lights):
        position[i] = *light.position, light.kind
        length = max(float(np.linalg.norm(light.direction)), 1e-9)
        direction[i] = *light.direction / length, np.cos(np.radians(light.cutoff))
        diffuse[i] = *(EXPOSURE * light.diffuse), light.exponent
        specular[i] = EXPOSURE * light.specular
        attenuation[i] = light.attenuation
    ambient = AMBIENT_FLOOR + head.ambient + sum(light.ambient for light in lights)
    return {
        "u_light_position": position,
        "u_light_direction": direction,
        "u_light_diffuse": diffuse,
        "u_light_specular": specular,
        "u_light_attenuation": attenuation,
        "u_ambient": tuple(ambient),
        "u_head_diffuse": tuple(EXPOSURE * HEAD_SHARE * head.diffuse),
        "u_head_specular": tuple(EXPOSURE * head.specular),
    }
