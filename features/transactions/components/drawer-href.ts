/** Where the drawer's dialogs open: `do` names the act, `dispute` the dispute that it is about. */
export type DrawerHref = (change: { do?: string; dispute?: string }) => string;
