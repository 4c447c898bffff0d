/** The URL of the drawer with a change: the dialog that is open, and the dispute that it is about. */
export type DrawerHref = (change: { do?: string; dispute?: string }) => string;
