import type { ReactNode } from 'react';

const icons: Record<string, ReactNode> = {
  'vacant-lot': (
    <>
      <path d="M5 13 24 8l12 19-22 6Z" strokeDasharray="3.2 2.6" />
      <circle cx="5" cy="13" r="2" fill="currentColor" />
      <circle cx="24" cy="8" r="2" fill="currentColor" />
      <circle cx="36" cy="27" r="2" fill="currentColor" />
      <circle cx="14" cy="33" r="2" fill="currentColor" />
    </>
  ),
  'single-family': (
    <>
      <path d="M7 34V18L17 8l10 10v16Z" />
      <path d="M27 22h7v12H7M14 34v-8h6v8M13 19h8" />
    </>
  ),
  'multi-family': (
    <path d="M5 34V12h10v22M15 34V8h10v26M25 34V14h10v20ZM5 34h30M9 18h2M9 24h2M19 14h2M19 20h2M19 26h2M29 20h2M29 26h2" />
  ),
  commercial: (
    <path d="M7 34V18M33 34V18M7 34h26M5 18l3-9h24l3 9a4 4 0 0 1-7.5 0 4 4 0 0 1-7.5 0 4 4 0 0 1-7.5 0A4 4 0 0 1 5 18ZM12 34V25h7v9M23 25h6v5h-6z" />
  ),
};

/** Icon of a property type; custom types show a parcel of land. */
export function PropertyTypeIcon({ slug }: { slug: string }) {
  return (
    <svg
      className="glyph"
      viewBox="0 0 40 40"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {icons[slug] ?? icons['vacant-lot']}
    </svg>
  );
}
