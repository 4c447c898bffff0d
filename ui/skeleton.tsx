const lines = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Placeholder for a loading property card. */
export function CardSkeleton() {
  return (
    <div aria-hidden="true">
      <span className="sk sk-pic" />
      <span className="sk sk-price" />
      <span className="sk sk-base" />
      <span className="sk sk-address" />
      <span className="sk sk-facts" />
    </div>
  );
}

/** A grid of card skeletons that announces once what is loading. */
export function CardGridSkeleton({
  count = 8,
  label = 'Loading properties...',
}: {
  count?: number;
  label?: string;
}) {
  return (
    <div role="status">
      <span className="vh">{label}</span>
      <div className="grid4">
        {lines(count).map((line) => (
          <CardSkeleton key={line} />
        ))}
      </div>
    </div>
  );
}

/** Placeholder for a loading property detail page. */
export function DetailSkeleton({ label = 'Loading property...' }: { label?: string }) {
  return (
    <div className="detail" role="status">
      <span className="vh">{label}</span>
      <div aria-hidden="true">
        <span className="sk sk-hero" />
        <span className="sk sk-title" />
        <span className="sk sk-town" />
      </div>
      <div aria-hidden="true">
        <span className="sk sk-sheet" />
      </div>
    </div>
  );
}

/** Placeholder for loading lines of text. */
export function TextSkeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div aria-hidden="true">
      {lines(rows).map((line) => (
        <span key={line} className="sk sk-line" />
      ))}
    </div>
  );
}
