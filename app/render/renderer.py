"""The renderer: a draw list and a view in, a picture out, in a window as off screen.

Passes: the shadow maps of the lights that cast shadows; the scene in each mirror, without shadows; opaque instances,
planes, sky, see-through instances and what is laid over them; the mask of what is outlined; smooth edges and the
outline; then all of it to its place on the target. Surfaces compute in linear light and write what the screen shows. A
picture that has not changed is only put in its place again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from app.render.device import Programs, Variant, finish_without_gil, is_software, set_uniforms
from app.render.pool import Pool, Uploaded
from app.render.quality import PRESETS, QUICK, Quality, deep_equal
from app.render.regions import Region, bounding_spheres, mirrored_spheres, outside, screen_rect, shadow_spheres
from app.render.shadow import LightCamera, ShadowMaps, shadow_bounds
from app.render.targets import Targets
from app.render.textures import Textures
from app.render.uniforms import (
    UNIT_CUBE,
    UNIT_MIRROR,
    UNIT_SKYBOX,
    UNIT_TEXTURE,
    UNITS_LAYER,
    UNITS_SHADOW,
    air_defines,
    light_uniforms,
    mirrored,
    scene_defines,
    view_uniforms,
)
from app.run.snapshot import ModelView
from app.scene.camera import View
from app.scene.instances import ID_STEP, SHAPE, Kind, Plane
from app.scene.lights import Light
from app.scene.scene import DrawList

CLIP_DISTANCE0, DEPTH_CLAMP = 0x3000, 0x864F
MAX_SHADOWS, MAX_MIRRORS = 4, 4
# shapes that are kept from getting too thin to see
RODS = ("capsule", "cylinder")
# opacity of an overlay behind other things
HIDDEN = 0.4
# the line around the selection, sRGB
OUTLINE = (0.36, 0.66, 0.96)
# a picture that stays the same for so many frames is worth the best quality
STILL_FRAMES = 10


@dataclass(frozen=True)
class Picked:
    """What is under a place of the picture."""

    kind: Kind
    index: int
    distance: float


@dataclass(frozen=True)
class _Lists:
    """All batches of a frame on the GPU."""

    opaque: list[Uploaded]
    transparent: list[Uploaded]
    planes: list[Uploaded]
    overlay: list[Uploaded]
    outlined: list[Uploaded]


@dataclass
class _Frame:
    """What the shaders of one pass share; `primed` are the programs that already know.

    `busy` says for planes in which part of the picture shadows and mirror images can be: everywhere unless it has an
    entry.
    """

    uniforms: dict[str, Any]
    defines: tuple[str, ...]
    size: tuple[int, int]
    busy: dict[int, Region] = field(default_factory=dict)
    mirrors: dict[Plane, moderngl.Texture] = field(default_factory=dict)
    primed: set[int] = field(default_factory=set)


class Renderer:
    """Draws scenes with one GL context."""

    def __init__(self, context: moderngl.Context, quality: Quality | None = None) -> None:
        self._context = context
        presets = PRESETS[PRESETS.index(QUICK) :] if is_software(context) else PRESETS
        # the qualities that there are to choose from, the best first
        self.presets = presets if quality is None else (quality,)
        self._quality = self.presets[0]
        self._programs = Programs(context)
        self._wait = finish_without_gil(context)
        self._pool = Pool(context)
        self._targets = Targets(context)
        self._shadows = ShadowMaps(context)
        self._screens: dict[int, moderngl.VertexArray] = {}
        self._identity: object = None
        self._textures: Textures | None = None
        # what the picture and the shadow maps show, and for how many frames the picture has
        self._content: tuple[Any, ...] = ()
        self._shadowed: tuple[Any, ...] = ()
        self._still = 0

    def draw(
        self,
        model: ModelView,
        scene: DrawList,
        view: View,
        target: moderngl.Framebuffer,
        viewport: tuple[int, int, int, int],
        preset: int = 0,
    ) -> bool:
        """Draw into the rectangle `viewport` (x, y from the lower left, width, height) of `target`.

        `preset` is an index into `presets`; a view that stays the same is drawn with the best one after a while.
        Returns whether the image has changed.
        """
        if min(viewport[2:]) < 1:
            return False
        content = (model.identity, int(model.vis.quality.shadowsize), viewport[2:], view, scene)
        changed = not deep_equal(content, self._content)
        self._still = 0 if changed else self._still + 1
        quality = self.presets[preset if self._still < STILL_FRAMES else 0]
        if changed or quality != self._quality:
            self._content, self._quality = content, quality
            width, height = (max(round(quality.scale * length), 1) for length in viewport[2:])
            self._draw_frame(model, scene, view, (width, height))
        self._present(target, viewport)
        return changed

    @property
    def at_best_quality(self) -> bool:
        """Whether the picture is as good as it can be."""
        return self._quality == self.presets[0]

    def pick(self, model: ModelView, scene: DrawList, view: View, aspect: float, x: float, y: float) -> Picked | None:
        """What is drawn at a place of the picture, x and y from -1 to 1, right and up."""
        # a lens that shows only the place asked for
        zoom, narrow = self._targets.id_zoom, np.eye(4)
        narrow[:2, :2], narrow[:2, 3] = zoom * np.eye(2), (-zoom * x, -zoom * y)
        matrix = narrow @ view.projection_matrix(aspect) @ view.view_matrix()
        origin, _ = view.ray(x, y, aspect)
        frame = {"u_view_projection": matrix.T, "u_eye": tuple(origin), "u_far": view.far}
        value = self._draw_ids(model, scene, frame, self._targets.ids()).reshape(-1, 2)
        code, distance = int(value[len(value) // 2, 0]), float(value[len(value) // 2, 1])
        return Picked(Kind(code // ID_STEP), code % ID_STEP, distance) if code else None

    def ids(
        self, model: ModelView, scene: DrawList, view: View, size: tuple[int, int]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """What is drawn at each pixel, kind * ID_STEP + index or 0, and how far it is from the eye, m."""
        matrix = view.projection_matrix(size[0] / size[1]) @ view.view_matrix()
        frame = {"u_view_projection": matrix.T, "u_eye": tuple(view.eye), "u_far": view.far}
        value = self._draw_ids(model, scene, frame, self._targets.ids(size))
        return value[..., 0].astype(np.int64), value[..., 1]

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The variants of shaders that pictures have needed lately."""
        return self._programs.variants

    def release(self) -> None:
        """Give back all memory of the GPU."""
        self._targets.release()
        if self._textures:
            self._textures.release()
        owned: list[Any] = [*self._screens.values(), self._pool, self._programs, self._shadows]
        for item in owned:
            item.release()

    # resources

    def _upload(self, model: ModelView, scene: DrawList) -> _Lists:
        """Bring the scene to the GPU, with textures and meshes if the model is another one."""
        changed = model.identity is not self._identity
        if changed:
            if self._textures:
                self._textures.release()
            self._textures = Textures(self._context, model)
            self._identity = model.identity
        self._pool.begin(model, changed)
        self._pool.deform(scene.deformed)
        lists = (scene.opaque, scene.transparent, scene.planes, scene.overlay, scene.outlined)
        return _Lists(*(self._pool.upload(batches) for batches in lists))

    def _clean_up(self) -> None:
        """Forget variants of shaders that were not needed for long: a program is a megabyte where no GPU draws."""
        for shader in self._programs.clean_up():
            self._pool.forget(shader)
            if shader in self._screens:
                self._screens.pop(shader).release()

    # passes

    def _draw_frame(self, model: ModelView, scene: DrawList, view: View, size: tuple[int, int]) -> None:
        """All passes but the last."""
        self._clean_up()
        self._targets.resize(size, self._quality.samples, self._quality.mirror_scale)
        lists = self._upload(model, scene)
        uniforms = view_uniforms(scene, view, size) | light_uniforms(scene)
        shadows = self._draw_shadows(model, scene, view, lists, uniforms)
        mirrors = self._draw_mirrors(scene, lists, uniforms, view)
        defines = scene_defines(scene, shadows) + self._quality.taps
        frame = _Frame(uniforms, defines, size, mirrors=mirrors)
        things = outlined = (0, 0, *size)
        if self._quality.scissored and not scene.deformed:
            things = screen_rect(bounding_spheres((*lists.opaque, *lists.transparent, *lists.overlay)), view, size)
            outlined = screen_rect(bounding_spheres(lists.outlined), view, size)
            frame.busy = _busy_regions(frame, lists, scene.lights[: len(shadows)], view)
        self._draw_scene(scene, lists, frame)
        self._draw_outline(lists.outlined, uniforms)
        self._postprocess(things, outlined if lists.outlined else None)

    def _draw_ids(
        self, model: ModelView, scene: DrawList, frame: dict[str, Any], target: moderngl.Framebuffer
    ) -> NDArray[np.float32]:
        """Id and distance of what is nearest, rows from top to bottom."""
        lists = self._upload(model, scene)
        target.use()
        target.clear(depth=1.0)
        self._context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        # of two things in one place the one that is seen
        for nearer, items in (("<=", lists.opaque), ("<", (*lists.planes, *lists.transparent, *lists.overlay))):
            self._context.depth_func = nearer
            for item in items:
                plane = ("PLANE",) if item.batch.shape == "plane" else ()
                shader = self._programs.get("surface.vert", "mask.frag", "IDS", *plane)
                set_uniforms(shader, frame)
                self._render(shader, item)
        width, height = target.size
        pixels = np.frombuffer(target.read(components=2, dtype="f4"), np.float32)
        return pixels.reshape(height, width, 2)[::-1]

    def _draw_shadows(
        self, model: ModelView, scene: DrawList, view: View, lists: _Lists, uniforms: dict[str, Any]
    ) -> tuple[int, ...]:
        """The depth that each light sees; returns how many maps each with shadows has, and adds to the uniforms."""
        lights = [light for light in scene.lights if light.shadow][:MAX_SHADOWS]
        resolution = min(int(model.vis.quality.shadowsize), self._quality.shadow_size)
        clear = [item for item in lists.transparent if item.batch.casts_shadow]
        if not (scene.shadow and lights and (lists.opaque or clear) and resolution >= 16):
            return ()
        cameras = self._shadows.fit(lights, *shadow_bounds(scene.casters, view, scene.extent), resolution)
        casters = tuple(item.batch for item in (*lists.opaque, *clear))
        content = (self._identity, resolution, tuple(cameras), casters)
        # as long as only the eye moves, shadows stay
        if scene.deformed or not deep_equal(content, self._shadowed):
            self._shadowed = content
            self._cast_shadows(cameras, lists.opaque, clear)
        self._shadows.bind(*UNITS_SHADOW)
        uniforms |= self._shadows.uniforms(cameras)
        return self._shadows.counts

    def _cast_shadows(self, cameras: list[LightCamera], opaque: list[Uploaded], clear: list[Uploaded]) -> None:
        """All casters as each camera of a light sees them."""
        self._shadows.begin()
        self._context.enable_only(moderngl.DEPTH_TEST)
        # what is nearer to the light than its camera still casts a shadow
        self._context.enable_direct(DEPTH_CLAMP)
        kinds = [((), opaque), (("TRANSPARENT",), clear)]
        casters = [(self._programs.get("shadow.vert", "shadow.frag", *d), items) for d, items in kinds if items]
        for number, camera in enumerate(cameras):
            self._shadows.aim(number)
            for shader, items in casters:
                set_uniforms(shader, {"u_light_projection": camera.matrix.T})
                for item in items:
                    self._pool.render(shader, item, depth_only=True, coarse=True)
        self._context.disable_direct(DEPTH_CLAMP)
        self._wait()
        self._context.enable_only(moderngl.NOTHING)
        depth = {"u_depth": UNIT_TEXTURE}
        self._shadows.summarise(UNIT_TEXTURE, lambda *defines: self._draw_screen("min_depth.frag", depth, *defines))

    def _draw_mirrors(
        self, scene: DrawList, lists: _Lists, uniforms: dict[str, Any], view: View
    ) -> dict[Plane, moderngl.Texture]:
        """What is seen in each mirror that faces the eye."""
        planes = dict.fromkeys(item.batch.mirror for item in (*lists.planes, *lists.opaque) if item.batch.mirror)
        facing = [plane for plane in planes if plane is not None and np.dot(plane[:3], view.eye) > plane[3]]
        images = {}
        for number, plane in enumerate(facing[:MAX_MIRRORS]):
            target, images[plane] = self._targets.mirror(number)
            target.use()
            target.clear(depth=1.0)
            pixel = {"u_pixel": (1 / target.width, 1 / target.height)}
            defines = (*scene_defines(scene), "CLIP")
            frame = _Frame(mirrored(uniforms, view, plane) | pixel, defines, target.size)
            self._context.enable_direct(CLIP_DISTANCE0)
            self._context.front_face = "cw"
            others = [item for item in lists.planes if item.batch.mirror != plane]
            self._draw_surfaces(scene, frame, target, replace(lists, planes=others))
            self._context.front_face = "ccw"
            self._context.disable_direct(CLIP_DISTANCE0)
            self._wait()
        return images

    def _draw_scene(self, scene: DrawList, lists: _Lists, frame: _Frame) -> None:
        """All surfaces into the multisampled picture."""
        context, target = self._context, self._targets.picture
        target.use()
        target.clear(depth=1.0)
        context.wireframe = scene.wireframe
        self._draw_surfaces(scene, frame, target, lists)
        # the overlay faintly where it is hidden, then as it is where it is not
        target.depth_mask = False
        context.depth_func = ">"
        hidden = replace(frame, uniforms=frame.uniforms | {"u_opacity": HIDDEN}, primed=set())
        for item in lists.overlay:
            self._draw_batch(hidden, item)
        context.depth_func = "<"
        target.depth_mask = True
        shown = replace(frame, primed=set())
        for item in lists.overlay:
            self._draw_batch(shown, item)
        context.wireframe = False
        self._wait()

    def _draw_surfaces(self, scene: DrawList, frame: _Frame, target: moderngl.Framebuffer, lists: _Lists) -> None:
        """Opaque instances, planes over what they cover, the sky in what is left, and what can be seen through."""
        context = self._context
        skybox = self._textures.get(scene.skybox) if self._textures else None
        if skybox is not None:
            skybox.use(UNIT_SKYBOX)
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        # of two things in one place the later one is seen
        context.depth_func = "<="
        for item in lists.opaque:
            self._draw_batch(frame, item)
        context.depth_func = "<"
        context.enable(moderngl.BLEND)
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        for number, item in enumerate(lists.planes):
            self._draw_plane(frame, item, frame.busy.get(number))
        context.enable_only(moderngl.DEPTH_TEST)
        # mirrors are clear where they show nothing
        if "CLIP" not in frame.defines:
            context.wireframe = False
            self._draw_screen("sky.frag", frame.uniforms, *air_defines(scene))
            context.wireframe = scene.wireframe
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE | moderngl.BLEND)
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE if scene.additive else moderngl.ONE_MINUS_SRC_ALPHA
        target.depth_mask = False
        for item in lists.transparent:
            self._draw_batch(frame, item, clear=True)
        target.depth_mask = True
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA

    def _draw_plane(self, frame: _Frame, item: Uploaded, busy: Region | None) -> None:
        """A plane, plain where there are neither shadows nor mirror images."""
        infinite = (item.batch.instances[:, SHAPE][:, :2] <= 0).any()
        defines = ("PLANE", "INFINITE") if infinite else ("PLANE",)
        if busy is None:
            self._draw_batch(frame, item, *defines)
            return
        plain = tuple("SHADOWS 0" if d.startswith("SHADOWS") else d for d in frame.defines)
        empty = replace(frame, defines=plain, mirrors={})
        target = self._targets.picture
        for part in outside(busy, frame.size):
            target.scissor = part
            self._draw_batch(empty, item, *defines)
        if min(busy[2:]) > 0:
            target.scissor = busy
            self._draw_batch(frame, item, *defines)
        target.scissor = None  # type: ignore[assignment]

    def _draw_batch(self, frame: _Frame, item: Uploaded, *defines: str, clear: bool = False) -> None:
        """One draw call, with the textures and the mirror image it needs."""
        texture = self._textures.get(item.batch.texture) if self._textures else None
        if texture is not None:
            flat = isinstance(texture, moderngl.Texture)
            texture.use(UNIT_TEXTURE if flat else UNIT_CUBE)
            defines += ("TEXTURE_2D" if flat else "TEXTURE_CUBE",)
        layers = self._textures.layers(item.batch.material) if self._textures else {}
        for role, layer in layers.items():
            layer.use(UNITS_LAYER[role])
            defines += (role.upper(),)
        if texture is not None or layers:
            defines += item.shape.defines + (("BOX",) if item.batch.shape == "box" else ())
        image = frame.mirrors.get(item.batch.mirror) if item.batch.mirror else None
        if image is not None:
            image.use(UNIT_MIRROR)
            defines += ("MIRROR",)
        shader = self._programs.get("surface.vert", "surface.frag", *frame.defines, *defines)
        if shader.glo not in frame.primed:
            set_uniforms(shader, frame.uniforms)
            frame.primed.add(shader.glo)
        rod = item.batch.shape in RODS
        set_uniforms(shader, {"u_thinnest": item.batch.width_scale * frame.uniforms["u_thinnest"] if rod else 0.0})
        coarse = "CLIP" in frame.defines
        if not clear:
            self._render(shader, item, coarse)
            return
        # through its near side the far one is seen, which comes first
        for unseen in ("front", "back"):
            self._context.cull_face = unseen
            self._pool.render(shader, item, coarse=coarse)

    def _render(self, shader: moderngl.Program, item: Uploaded, coarse: bool = False) -> None:
        """Draw a batch; the inside too of what is open."""
        if item.shape.open:
            self._context.disable(moderngl.CULL_FACE)
        self._pool.render(shader, item, coarse=coarse)
        if item.shape.open:
            self._context.enable(moderngl.CULL_FACE)

    def _draw_outline(self, outlined: list[Uploaded], uniforms: dict[str, Any]) -> None:
        """The mask of what gets a line around it, seen through everything."""
        if not outlined:
            return
        mask = self._targets.mask()
        mask.use()
        mask.clear()
        self._context.enable_only(moderngl.NOTHING)
        shader = self._programs.get("surface.vert", "mask.frag")
        for item in outlined:
            rod = item.batch.shape in RODS
            set_uniforms(shader, uniforms if rod else uniforms | {"u_thinnest": 0.0})
            self._pool.render(shader, item)

    def _draw_screen(self, fragment: str, uniforms: dict[str, Any], *defines: str) -> None:
        """One triangle over the whole viewport."""
        shader = self._programs.get("screen.vert", fragment, *defines)
        if shader.glo not in self._screens:
            self._screens[shader.glo] = self._context.vertex_array(shader, [])
        set_uniforms(shader, uniforms)
        self._screens[shader.glo].render(vertices=3)

    def _postprocess(self, things: Region, outlined: Region | None) -> None:
        """Resolve the samples, then smooth edges, which are only where things are, and draw the outline."""
        targets, smooth = self._targets, self._quality.samples == 1
        picture = targets.resolve()
        self._context.copy_framebuffer(targets.developed, targets.resolved)
        targets.developed.use()
        self._context.enable_only(moderngl.NOTHING)
        picture.use(UNIT_TEXTURE)
        if outlined:
            targets.mask_texture.use(UNIT_MIRROR)
        self._wait()
        uniforms = {"u_picture": UNIT_TEXTURE, "u_mask": UNIT_MIRROR, "u_outline": OUTLINE}
        for part, outline in ((things if smooth else None, False), (outlined, True)):
            if part is not None and min(part[2:]) > 0:
                targets.developed.scissor = part
                which = (("SMOOTH", smooth), ("OUTLINE", outline))
                self._draw_screen("postprocess.frag", uniforms, *(name for name, true in which if true))
        targets.developed.scissor = None  # type: ignore[assignment]
        self._wait()

    def _present(self, target: moderngl.Framebuffer, viewport: Region) -> None:
        """The finished picture to its place."""
        picture = self._targets.developed_texture
        if viewport == (0, 0, *target.size) and viewport[2:] == picture.size:
            # on software renderers 30 times as fast as drawing it
            self._context.copy_framebuffer(target, self._targets.developed)
            return
        target.use()
        target.viewport = viewport
        self._context.enable_only(moderngl.NOTHING)
        nearby = moderngl.NEAREST if viewport[2:] == picture.size else moderngl.LINEAR
        picture.filter = (nearby, nearby)
        picture.use(UNIT_TEXTURE)
        self._draw_screen("present.frag", {"u_picture": UNIT_TEXTURE})
        self._wait()


def _busy_regions(frame: _Frame, lists: _Lists, lights: tuple[Light, ...], view: View) -> dict[int, Region]:
    """For each plane the part of the picture with shadows and mirror images; no entry if that is all of it."""
    things = bounding_spheres((*lists.opaque, *lists.transparent))
    regions = {}
    for number, item in enumerate(lists.planes):
        balls = shadow_spheres(things, lights, item.batch.instances[0])
        mirror = item.batch.mirror if item.batch.mirror in frame.mirrors else None
        # a mirror shows other planes everywhere
        if balls is not None and not (mirror and len(lists.planes) > 1):
            seen = [balls, mirrored_spheres(things, mirror)] if mirror else [balls]
            regions[number] = screen_rect(np.concatenate(seen), view, frame.size)
    return regions
