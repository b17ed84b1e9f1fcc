/** Most bytes of one item, or most items of one list (SEMI E5): three length bytes. */
export const MAX_LENGTH = 0xff_ff_ff

/** How deep lists may stand in each other, the outermost counted as one: what we build, others must read. */
export const MAX_DEPTH = 128

/** Most items of one message: each is an object here and a line of SML, and two bytes are enough for one. */
export const MAX_ITEMS = 2 ** 20
