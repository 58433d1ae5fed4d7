// Ages of a key that count as a risk: the settings pages and the overview of usage read it, so it stands apart from
// the schemas, which a browser does not load.

/** A key that has not been used for so long is idle. */
export const idleAfterDays = 90
/** A rotation is shown as due so long before its time. */
export const rotationDueWithinDays = 14
