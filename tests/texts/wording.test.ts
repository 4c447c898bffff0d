import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ourTexts } from './our-texts.ts';
import { banned } from './wording.ts';

const texts = ourTexts();
const guide = readFileSync(join(process.cwd(), 'docs/wording.md'), 'utf8');

describe('our texts', () => {
  it('are found: labels, sentences and mails', () => {
    const all = new Set(texts.map(({ text }) => text));
    for (const known of ['Available Properties', 'What happens next', 'Payment received: {} is in escrow'])
      expect(all).toContain(known);
    expect(texts.length).toBeGreaterThan(1500);
  });

  it('never say what the guide rules out', () => {
    const found = texts.flatMap(({ file, line, text }) =>
      banned
        .filter(({ phrase, except }) => phrase.test(text) && !except?.test(text))
        .map(({ instead }) => `${file}:${line} says '${text}', not: ${instead}`),
    );
    expect(found).toEqual([]);
  });
});

describe('the guide', () => {
  it('lists what is ruled out, row by row, with what our texts say instead', () => {
    const table = guide.split('## What we never say')[1] ?? '';
    const rows = [...table.matchAll(/^\| (?!Never\b)(.+?) \| (.+?) \|$/gm)];
    expect(rows.map(([, , instead]) => instead)).toEqual(banned.map(({ instead }) => instead));
  });
});
