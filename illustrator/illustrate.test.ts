import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { illustrate } from './illustrate.ts';
import { PROPERTY_KINDS, VARIANTS } from './illustration-key.ts';
import { panorama } from './panorama.ts';

/** Checks nesting and attributes; returns all ids and all referenced ids. @throws Error when not well-formed */
function readXml(text: string): { ids: string[]; references: string[] } {
  const open: string[] = [];
  const rest = text.replaceAll(
    /<(\/?)([a-zA-Z]+)((?: [a-zA-Z][\w:-]*="[^"<&]*")*)(\/?)>/g,
    (_tag, ...parts) => {
      const [end, name, attributes, empty] = parts as [string, string, string, string];
      const names = [...attributes.matchAll(/ ([\w:-]+)="/g)].map((match) => match[1]);
      if (new Set(names).size !== names.length)
        throw new Error(`An attribute twice in <${name}${attributes}>`);
      if (end && open.pop() !== name) throw new Error(`</${name}> closes something else`);
      if (!end && !empty) open.push(name);
      return '';
    },
  );
  if (rest !== '' || open.length) throw new Error(`Not well-formed: ${rest.slice(0, 80)} ${open.join()}`);
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');
  return { ids: all(/ id="([^"]+)"/g), references: all(/url\(#([^)]+)\)/g) };
}

function expectValidSvg(svg: string) {
  const { ids, references } = readXml(svg);
  if (new Set(ids).size !== ids.length) throw new Error(`An id twice: ${ids.join()}`);
  const unknown = references.filter((reference) => !ids.includes(reference));
  if (unknown.length) throw new Error(`Refers to nothing: ${unknown.join()}`);
  const fault = /NaN|undefined|Infinity|null|="-?"|#[0-9a-f]*-/.exec(svg);
  if (fault) throw new Error(`${fault[0]} in ${svg.slice(fault.index - 60, fault.index + 20)}`);
  if (svg.length >= 80_000) throw new Error(`${svg.length} bytes`);
}

describe('illustrate', () => {
  it('draws the same picture for the same input', () => {
    const first = illustrate('Commercial', 35, 'exterior');
    illustrate('Single Family', 1, 'living');
    expect(illustrate('Commercial', 35, 'exterior')).toBe(first);
  });

  it.each(PROPERTY_KINDS)('draws 200 valid pictures of each variant of %s', { timeout: 60_000 }, (kind) => {
    for (const variant of VARIANTS) {
      const seen = new Set<string>();
      for (let hash = 0; hash < 200; hash += 1) {
        const svg = illustrate(kind, hash, variant);
        expect(() => expectValidSvg(svg), `${kind} ${hash} ${variant}`).not.toThrow();
        seen.add(svg);
      }
      expect(seen.size).toBe(200);
    }
  });

  it('shares no ids between pictures, so that several can be inlined in one page', () => {
    const ids = PROPERTY_KINDS.flatMap((kind) =>
      VARIANTS.flatMap((variant) =>
        [1, 11, 37].flatMap((hash) => readXml(illustrate(kind, hash, variant)).ids),
      ),
    );
    expect(ids.length).toBeGreaterThan(100);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has an accessible name', () => {
    expect(illustrate('Vacant Lot', 3, 'plan')).toContain('role="img" aria-label="Vacant Lot, plan"');
  });

  it('has not changed any approved drawing', () => {
    const digest = createHash('sha256');
    for (const kind of PROPERTY_KINDS) {
      for (const variant of VARIANTS) {
        for (let hash = 0; hash < 997; hash += 83) digest.update(illustrate(kind, hash, variant));
      }
    }
    expect(digest.digest('hex')).toBe('c1291dad043fa575688f19c80d29d19984aa04538d0c707d1b68c6b4bbcad8a8');
  });
});

describe('panorama', () => {
  it.each(['morning', 'dusk'] as const)('is valid in the %s', (hour) => {
    const svg = panorama(hour);
    expectValidSvg(svg);
    expect(panorama(hour)).toBe(svg);
    expect(svg).toContain('viewBox="0 0 1920 1080"');
  });
});
