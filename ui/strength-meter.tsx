export type Strength = 'weak' | 'medium' | 'strong';

const words: Record<Strength, string> = { weak: 'Weak', medium: 'Medium', strong: 'Strong' };

/** Three segments and the word (look §7); shows a judgement that others make. `null` while nothing is typed. */
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
            {words[strength]}
          </>
        )}
      </span>
    </>
  );
}
