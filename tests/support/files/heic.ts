import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#platform/project-root.ts';

/** A file to build. Sizes in pixels. */
interface HeicOptions {
  /** a frame of tests/fixtures/hevc: 'quarters' is 120 × 80, 'tile' 512 × 512 */
  frame: 'quarters' | 'tile';
  /** the size that the file claims; that of the frame unless given */
  width?: number;
  height?: number;
  /** the frame, repeated in a grid */
  grid?: { columns: number; rows: number };
  /** quarter turns counter-clockwise that a reader has to apply */
  turns?: 0 | 1 | 2 | 3;
  /** mirroring after the turns: 0 swaps top and bottom, 1 left and right */
  mirror?: 0 | 1;
  /** a color profile (ICC) */
  profile?: Uint8Array;
  /** EXIF data from its TIFF header on */
  exif?: Uint8Array;
}

const SIZES = { quarters: { width: 120, height: 80 }, tile: { width: 512, height: 512 } } as const;

const u8 = (...values: number[]) => Buffer.from(values);
const u16 = (...values: number[]) => Buffer.concat(values.map((value) => u8(value >> 8, value & 255)));
const u32 = (...values: number[]) =>
  Buffer.concat(values.map((value) => u16(Math.floor(value / 65_536), value % 65_536)));
const ascii = (text: string) => Buffer.from(text, 'latin1');
const box = (type: string, ...body: Uint8Array[]) => {
  const content = Buffer.concat(body);
  return Buffer.concat([u32(8 + content.length), ascii(type), content]);
};
/** A box with a version and no flags. */
const versioned = (type: string, version: number, ...body: Uint8Array[]) =>
  box(type, u8(version, 0, 0, 0), ...body);

/** The units of an HEVC stream (Annex B). */
function unitsOf(name: HeicOptions['frame']): Buffer[] {
  const stream = readFileSync(join(projectRoot, 'tests/fixtures/hevc', `${name}.hevc`));
  const parts = stream.toString('latin1').split('\0\0\u0001');
  // The zero before a longer start code; no unit ends with one.
  const units = parts.map((part) => (part.endsWith('\0') ? part.slice(0, -1) : part));
  return units.filter(Boolean).map(ascii);
}

const unitType = (unit: Buffer): number => ((unit[0] ?? 0) >> 1) & 63;
const PARAMETER_SETS = [32, 33, 34];

/** The decoder configuration: the stream's profile and its parameter sets. */
function configuration(units: readonly Buffer[]): Buffer {
  const sets = units.filter((unit) => PARAMETER_SETS.includes(unitType(unit)));
  const sequence = sets.find((unit) => unitType(unit) === 33)?.toString('latin1') ?? '';
  const profile = ascii(sequence.replaceAll('\0\0\u0003', '\0\0')).subarray(3, 15);
  return box(
    'hvcC',
    u8(1),
    profile,
    u16(0xf000),
    u8(0xfc, 0xfd, 0xf8, 0xf8),
    u16(0),
    u8(0x0f, sets.length),
    ...sets.map((unit) => Buffer.concat([u8(0x80 | unitType(unit)), u16(1, unit.length), unit])),
  );
}

interface Item {
  type: 'hvc1' | 'grid' | 'Exif';
  data: Buffer;
  /** numbers of properties, from 1 */
  properties: number[];
}

/** A HEIC file as phones write it, made of a stored frame. */
export function heicFile(options: HeicOptions): Buffer {
  const { frame, grid, turns = 0, mirror, profile, exif } = options;
  const tile = SIZES[frame];
  const units = unitsOf(frame);
  const slices = units.filter((unit) => unitType(unit) < 32);
  const data = Buffer.concat(slices.flatMap((unit) => [u32(unit.length), unit]));
  const { columns, rows } = grid ?? { columns: 1, rows: 1 };
  const { width = columns * tile.width, height = rows * tile.height } = options;

  const properties = [
    configuration(units),
    versioned('ispe', 0, u32(width, height)),
    box('colr', ...(profile ? [ascii('prof'), profile] : [ascii('nclx'), u16(1, 13, 6), u8(0x80)])),
    versioned('ispe', 0, u32(tile.width, tile.height)),
    box('irot', u8(turns)),
    ...(mirror === undefined ? [] : [box('imir', u8(mirror))]),
  ];
  const shown = [2, 3, 5, ...(mirror === undefined ? [] : [6])];
  const frames = Array.from({ length: grid ? columns * rows : 0 }, (): Item => {
    return { type: 'hvc1', data, properties: [1, 3, 4] };
  });
  const primary: Item = grid
    ? {
        type: 'grid',
        data: Buffer.concat([u8(0, 1, rows - 1, columns - 1), u32(width, height)]),
        properties: shown,
      }
    : { type: 'hvc1', data, properties: [1, ...shown] };
  const metadata: Item[] = exif
    ? [{ type: 'Exif', data: Buffer.concat([u32(0), exif]), properties: [] }]
    : [];
  const items = [primary, ...frames, ...metadata];

  const ids = items.map((_, index) => index + 1);
  const references = [
    ...(grid ? [box('dimg', u16(1, frames.length, ...ids.slice(1, frames.length + 1)))] : []),
    ...(exif ? [box('cdsc', u16(items.length, 1, 1))] : []),
  ];
  // Tiles with the same content are stored once.
  const stored = [...new Set(items.map((item) => item.data))];
  const meta = (begin: number) =>
    versioned(
      'meta',
      0,
      versioned('hdlr', 0, u32(0), ascii('pict'), u32(0, 0, 0), u8(0)),
      versioned('pitm', 0, u16(1)),
      versioned(
        'iloc',
        0,
        u8(0x44, 0),
        u16(items.length),
        ...items.map((item, index) => {
          const before = stored.slice(0, stored.indexOf(item.data));
          const offset = begin + before.reduce((sum, { length }) => sum + length, 0);
          return Buffer.concat([u16(index + 1, 0, 1), u32(offset, item.data.length)]);
        }),
      ),
      versioned(
        'iinf',
        0,
        u16(items.length),
        ...items.map(({ type }, index) => versioned('infe', 2, u16(index + 1, 0), ascii(type), u8(0))),
      ),
      ...(references.length > 0 ? [versioned('iref', 0, ...references)] : []),
      box(
        'iprp',
        box('ipco', ...properties),
        versioned(
          'ipma',
          0,
          u32(items.length),
          ...items.map((item, index) =>
            Buffer.concat([u16(index + 1), u8(item.properties.length, ...item.properties)]),
          ),
        ),
      ),
    );
  const type = box('ftyp', ascii('heic'), u32(0), ascii('mif1heic'));
  const begin = type.length + meta(0).length + 8;
  return Buffer.concat([type, meta(begin), box('mdat', ...stored)]);
}
