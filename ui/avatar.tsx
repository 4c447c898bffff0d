/** Up to two initials of a name, or of the part of an e-mail before the @; '?' when there is nothing to take. */
export function initials(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/).filter(Boolean);
  const first = words[0]?.[0] ?? '?';
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? '') : '';
  return (first + last).toUpperCase();
}

/** Initials on a disc. Decorative, as the name is shown next to it. */
export function Avatar({ name, large }: { name: string; large?: boolean }) {
  return (
    <span className={large ? 'avatar avatar-lg' : 'avatar'} aria-hidden="true">
      {initials(name)}
    </span>
  );
}
