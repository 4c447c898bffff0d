const lines = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A property card that is not there yet: picture, price, base, address, facts. */
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

/** A grid of card skeletons that says once what is awaited. */
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

/** The property detail page that is not there yet. */
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

/** Lines of text that are not there yet. */
export function TextSkeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div aria-hidden="true">
      {lines(rows).map((line) => (
        <span key={line} className="sk sk-line" />
      ))}
    </div>
  );
}
