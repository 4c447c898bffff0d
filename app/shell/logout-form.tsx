import { Form } from 'react-router';
import { beginSignOut } from '#app/live/signing-out.ts';
import { paths } from '#routing/paths.ts';

/** Ends the session by a document POST, with or without JavaScript. Its children are the button. */
export function LogoutForm({ children }: { children: React.ReactNode }) {
  return (
    <Form method="post" action={paths.logout()} reloadDocument onSubmit={beginSignOut}>
      {children}
    </Form>
  );
}
