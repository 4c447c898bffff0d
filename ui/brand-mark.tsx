/** The logo: a surveyor's tripod that also reads as an A and a gable, with a brass plumb point. */
export function BrandMark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path
        d="M16 5 4.5 28M16 5l11.5 23M9.2 19.4h13.6"
        fill="none"
        stroke="currentColor"
        strokeWidth="3.1"
        strokeLinecap="square"
      />
      <path d="M16 1.2 19.6 5 16 8.8 12.4 5Z" className="pin" />
    </svg>
  );
}

/** The company name: first word bold, the rest light. */
export function BrandName({ name }: { name: string }) {
  const [first, ...rest] = name.split(' ');
  return (
    <span>
      {first} <em>{rest.join(' ')}</em>
    </span>
  );
}
