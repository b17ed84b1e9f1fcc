type WithUndefined<T> = { [Key in keyof T]-?: undefined extends T[Key] ? Key : never }[keyof T]

/** An object without its members that are undefined: an option that is left out is not the same as undefined. */
export type Defined<T> = Omit<T, WithUndefined<T>> & {
  [Key in WithUndefined<T>]?: Exclude<T[Key], undefined>
}

export const defined = <const T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>
