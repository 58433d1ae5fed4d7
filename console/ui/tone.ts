/** The meaning of a state for its reader. */
export type Tone = 'good' | 'warn' | 'bad' | 'neutral' | 'accent'
