/** From when on a key counts as idle, and how long before its time a rotation counts as due. */
export const idleAfterDays = 90
export const rotationDueWithinDays = 14
