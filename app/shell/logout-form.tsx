import { Form } from 'react-router';
import { paths } from '#app/paths.ts';

/** Ends the session by a real post, before and after the scripts have come. Its children are the button. */
export function LogoutForm({ children }: { children: React.ReactNode }) {
  return (
    <Form method="post" action={paths.logout()} reloadDocument>
      {children}
    </Form>
  );
}
