/** One instruction of a Dockerfile, with its continued lines joined and its variables filled in. */
export type Instruction =
  | { kind: 'from'; image: string; name: string | null }
  | { kind: 'workdir'; path: string }
  | { kind: 'copy'; from: string | null; sources: string[]; target: string }
  | { kind: 'run'; command: string }
  | { kind: 'env'; variables: Record<string, string> }
  | { kind: 'user'; name: string }
  | { kind: 'cmd'; words: string[] }
  /** what says something about the image and runs nothing */
  | { kind: 'note'; text: string };

/**
 * Reads the part of the language which the Dockerfiles of this project use.
 * @param values of its build arguments, instead of their defaults
 * @throws Error naming an instruction or a form that it does not know, so that nothing is left out in silence
 */
export function parseDockerfile(text: string, values: Record<string, string> = {}): Instruction[] {
  const given = new Map<string, string>();
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(?:#|$)/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean);
  return lines.flatMap((line) => {
    const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    const filled = rest.replace(/\$\{(\w+)\}/g, (_all, name: string) => {
      const value = given.get(name);
      if (value === undefined) throw new Error(`${name} has no value: ${line}`);
      return value;
    });
    if (word === 'ARG') {
      const [name = '', value = ''] = rest.split('=');
      given.set(name, values[name] ?? value);
      return [];
    }
    return [instruction(word, filled, line)];
  });
}

function instruction(word: string, rest: string, line: string): Instruction {
  const words = rest.split(/\s+/);
  if (word === 'FROM')
    return { kind: 'from', image: words[0] ?? '', name: words[1] === 'AS' ? (words[2] ?? null) : null };
  if (word === 'WORKDIR') return { kind: 'workdir', path: rest };
  if (word === 'RUN' && !rest.startsWith('-')) return { kind: 'run', command: rest };
  if (word === 'USER') return { kind: 'user', name: rest };
  if (word === 'CMD' && rest.startsWith('[')) return { kind: 'cmd', words: JSON.parse(rest) as string[] };
  if (word === 'COPY') {
    const from = /^--from=(\w+)$/.exec(words[0] ?? '')?.[1] ?? null;
    const places = from ? words.slice(1) : words;
    if (places.length < 2 || places.some((place) => place.startsWith('--')))
      throw new Error(`Not understood: ${line}`);
    return { kind: 'copy', from, sources: places.slice(0, -1), target: places.at(-1) ?? '' };
  }
  if (word === 'ENV')
    return {
      kind: 'env',
      variables: Object.fromEntries(words.map((one) => one.split(/=(.*)/s).slice(0, 2))),
    };
  if (['EXPOSE', 'VOLUME', 'HEALTHCHECK'].includes(word)) return { kind: 'note', text: line };
  throw new Error(`Not understood: ${line}`);
}
