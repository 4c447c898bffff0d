import { Link } from 'react-router';

/** Shows who is signed in, with a link to the account settings. */
export function SignedInLine({ email, accountPath }: { email: string; accountPath: string }) {
  return (
    <p>
      Signed in as {email}.{' '}
      <Link className="link" to={accountPath}>
        Account settings
      </Link>
    </p>
  );
}
