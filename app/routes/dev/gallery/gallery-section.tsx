import { type ReactNode, useId } from 'react';

/** One section of the gallery. */
export function GallerySection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="pt-14 pb-2" aria-labelledby={id}>
      <h2 id={id} className="mb-6 border-b border-line pb-3.5 text-[1.625rem]">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** A labelled row of samples. */
export function LabelledRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3 first-of-type:mt-0">
      <span className="w-24 flex-none text-[0.8125rem] text-ink-subtle">{name}</span>
      {children}
    </div>
  );
}
