import libheif from 'libheif-js/wasm-bundle.js';

/** A decoded picture: upright, in the colors of its profile, 3 or 4 bytes a pixel without padding. */
interface DecodedHeic {
  width: number;
  height: number;
  channels: 3 | 4;
  /** lies in the decoder's memory: valid until the decoder is used again */
  pixels: Uint8Array;
  /** its color profile (ICC); null when it has none */
  profile: Uint8Array | null;
}

/** Why the decoder refused a file. */
export class HeicProblem extends Error {
  override readonly name = 'HeicProblem';
  readonly reason: 'unsupported' | 'too-many-pixels' | 'damaged';

  constructor(reason: HeicProblem['reason']) {
    super(`The HEIC decoder refuses this file: ${reason}`);
    this.reason = reason;
  }
}

// Values of libheif's headers.
const ERROR_BYTES = 12;
const UNSUPPORTED_FILE_TYPE = 3;
const UNSUPPORTED_FEATURE = 4;
const NO_DECODER = 11;
const SECURITY_LIMIT_EXCEEDED = 1000;
const UNSUPPORTED = [UNSUPPORTED_FILE_TYPE, UNSUPPORTED_FEATURE, NO_DECODER];
const COLOR_SPACE_RGB = 1;
const CHROMA_RGB = 10;
const CHROMA_RGBA = 11;
const CHANNEL_INTERLEAVED = 10;
/** Byte offsets in `heif_security_limits` and `heif_decoding_options`. */
const LIMIT_PIXELS = 8;
const LIMIT_BLOCK = 40;
const LIMIT_TOTAL = 64;
const OPTION_STRICT = 21;

const MAX_PROFILE_BYTES = 1_000_000;

/**
 * Decodes the primary picture of a HEIC file, with its rotation and mirroring applied. Uses the decoder once: its memory is that of
 * the thread, and is given back with it.
 * @param limits the most pixels that a picture may have, and the bytes that the decoder may use
 * @throws HeicProblem
 */
export function readPixels(file: Uint8Array, limits: { pixels: number; memory: number }): DecodedHeic {
  limitMemory(limits.memory);
  const error = libheif._malloc(ERROR_BYTES);
  const result = libheif._malloc(8);
  const check = () => {
    const [code, detail] = [word(error), word(error + 4)];
    if (code === 0) return;
    if (detail === SECURITY_LIMIT_EXCEEDED) throw new HeicProblem('too-many-pixels');
    throw new HeicProblem(UNSUPPORTED.includes(code) ? 'unsupported' : 'damaged');
  };

  const context = libheif._heif_context_alloc();
  setLimits(libheif._heif_context_get_security_limits(context), limits);
  libheif._heif_context_read_from_memory_without_copy(error, context, copyIn(file), file.length, 0);
  check();
  libheif._heif_context_get_primary_image_handle(error, context, result);
  check();
  const handle = word(result);
  const claimed =
    libheif._heif_image_handle_get_width(handle) * libheif._heif_image_handle_get_height(handle);
  if (claimed > limits.pixels) throw new HeicProblem('too-many-pixels');
  const channels = libheif._heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
  const profile = profileOf(handle, error);

  const options = libheif._heif_decoding_options_alloc();
  // What is missing or broken is a damaged file, not a grey area.
  libheif.HEAPU8[options + OPTION_STRICT] = 1;
  const chroma = channels === 4 ? CHROMA_RGBA : CHROMA_RGB;
  libheif._heif_decode_image(error, handle, result, COLOR_SPACE_RGB, chroma, options);
  check();
  const image = word(result);
  const width = libheif._heif_image_get_width(image, CHANNEL_INTERLEAVED);
  const height = libheif._heif_image_get_height(image, CHANNEL_INTERLEAVED);
  const plane = libheif._heif_image_get_plane_readonly(image, CHANNEL_INTERLEAVED, result);
  const stride = word(result);
  const memory = libheif.HEAPU8;
  const row = width * channels;
  if (plane === 0 || width < 1 || height < 1 || stride < row) throw new HeicProblem('damaged');
  for (let line = 1; line < height; line += 1)
    memory.copyWithin(plane + line * row, plane + line * stride, plane + line * stride + row);
  return { width, height, channels, pixels: memory.subarray(plane, plane + row * height), profile };
}

const word = (address: number): number => new DataView(libheif.HEAPU8.buffer).getUint32(address, true);

function copyIn(bytes: Uint8Array): number {
  const address = libheif._malloc(bytes.length);
  libheif.HEAPU8.set(bytes, address);
  return address;
}

function setLimits(address: number, { pixels, memory }: { pixels: number; memory: number }): void {
  const view = new DataView(libheif.HEAPU8.buffer, address);
  view.setBigUint64(LIMIT_PIXELS, BigInt(pixels), true);
  view.setBigUint64(LIMIT_BLOCK, BigInt(memory), true);
  view.setBigUint64(LIMIT_TOTAL, BigInt(memory), true);
}

function profileOf(handle: number, error: number): Uint8Array | null {
  const length = libheif._heif_image_handle_get_raw_color_profile_size(handle);
  if (length === 0 || length > MAX_PROFILE_BYTES) return null;
  const address = libheif._malloc(length);
  libheif._heif_image_handle_get_raw_color_profile(error, handle, address);
  return word(error) === 0 ? libheif.HEAPU8.slice(address, address + length) : null;
}

/** The limits above bind libheif, but not the codec that it calls: its memory as a whole stops growing. */
function limitMemory(bytes: number): void {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function growWithin(pages) {
    if (this.buffer.byteLength + pages * 65_536 > bytes) throw new RangeError('The decoder needs too much');
    return grow.call(this, pages);
  };
}
