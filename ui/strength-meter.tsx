export type Strength = 'weak' | 'medium' | 'strong';

const labels: Record<Strength, string> = { weak: 'Weak', medium: 'Medium', strong: 'Strong' };

/** Displays a password strength that the caller has computed; `null` while the input is empty. */
export function StrengthMeter({ strength }: { strength: Strength | null }) {
  return (
    <>
      <span className={strength ? `meter meter-${strength}` : 'meter'} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span className="hint" role="status">
        {strength && (
          <>
            <span className="vh">Password strength: </span>
            {labels[strength]}
          </>
        )}
      </span>
    </>
  );
}
