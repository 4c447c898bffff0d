import { Link } from 'react-router';

/** Says who is signed in, and leads to the account's password and sessions. */
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
