import { Link } from 'react-router';
import { policyPaths } from '#routing/policy-paths.ts';
import { policyTitles } from '../model.ts';

/** What somebody accepts by signing up, above the button that does it. */
export function Acceptance() {
  return (
    <p className="hint">
      By creating an account you accept the{' '}
      <Link className="link" to={policyPaths.terms()}>
        {policyTitles.terms}
      </Link>{' '}
      and the{' '}
      <Link className="link" to={policyPaths.privacy()}>
        {policyTitles.privacy}
      </Link>
      .
    </p>
  );
}
