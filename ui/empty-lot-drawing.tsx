/** Drawing of an empty, staked lot, for empty lists and missing pages. */
export function EmptyLotDrawing({ sign }: { sign: 'board' | 'question' }) {
  return (
    <svg
      className="scene"
      viewBox="0 0 190 92"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M4 44c26-16 44-16 66-4s48 6 62-6 34-10 54 4" opacity=".6" />
      <path d="M34 58 138 54 182 84 8 86Z" strokeDasharray="5 5" />
      <path d="M34 58V44M138 54V40M182 84V66M8 86V68" strokeWidth="2.4" />
      <path d="M34 44l10 3-10 4M138 40l10 3-10 4" className="flag" />
      {sign === 'board' ? (
        <path d="M92 70V52M82 52h22v-12H82Z" />
      ) : (
        <path d="M88 60q0-8 8-8t8 7q0 6-8 9v6M96 80v.6" strokeWidth="2.4" />
      )}
    </svg>
  );
}
