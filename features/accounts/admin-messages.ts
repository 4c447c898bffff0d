/** The user-facing messages of the page of administrators. */
export const adminMessages = {
  added: { title: 'Admin Added', text: 'New administrator account has been created successfully.' },
  addFailed: 'Failed to add administrator. Please try again.',
  addressTaken: 'There is an account with this address already',
  loadFailed: 'Failed to load administrators. Please try again later.',
  removeFailed: 'Failed to remove administrator. Please try again.',
  removedBefore: { title: 'Already removed', text: 'This account is no longer an administrator.' },
  lastAdmin: {
    title: 'Not removed',
    text: 'This is the last administrator. Add another one first.',
  },
} as const;
