import type { Format } from '../../secs2/format.js'

/** A value that an item is built of. Arrays are several values or a list; an object is one typed item. */
export type GivenValue =
  | string
  | number
  | bigint
  | boolean
  | readonly GivenValue[]
  | { readonly [Name in Format]?: unknown }

/** A value as it is read: a string; an array for an item that holds none or several, and for a list. */
export type ReadValue = string | readonly ReadValue[]

/**
 * The named data from which a body is built; a group is given as an array or object. Any names are accepted if
 * the compiler knows the text only as a string.
 */
export type GivenData<Text extends string> = string extends Text
  ? Readonly<Record<string, unknown>>
  : Named<Given<Parsed<Text>>>

/** The named data that a body of this structure is read as. */
export type ReadData<Text extends string> = string extends Text
  ? Readonly<Record<string, unknown>>
  : Named<Read<Parsed<Text>>>

/** Data without names are an empty object; the type `{}` would accept any object. */
type Named<Data> = [keyof Data] extends [never] ? Readonly<Record<string, never>> : Data

// The notation of structure.ts as types. `Front` is a pair: the structure at the start of a text, and the rest.

interface Nothing {
  readonly kind: 'nothing'
}
interface OneItem<Name extends string, Many extends boolean> {
  readonly kind: 'item'
  readonly name: Name
  readonly many: Many
}
interface Items<Name extends string> {
  readonly kind: 'items'
  readonly name: Name
}
interface Group<Name extends string, Member> {
  readonly kind: 'group'
  readonly name: Name
  readonly member: Member
}
interface List<Members extends readonly unknown[], MayBeEmpty extends boolean> {
  readonly kind: 'list'
  readonly members: Members
  readonly mayBeEmpty: MayBeEmpty
}
interface Choice<Alternative> {
  readonly kind: 'choice'
  readonly alternative: Alternative
}

type Parsed<Text extends string> = Text extends ''
  ? Nothing
  : Front<Text> extends [infer Part, '']
    ? Part
    : never

type Front<Text extends string> = Text extends `(${infer Rest}`
  ? Alternatives<Rest, never>
  : Text extends `<L>${infer Rest}`
    ? [List<[], false>, Rest]
    : Text extends `<L? ${infer Rest}`
      ? Members<Rest, [], true>
      : Text extends `<L ${infer Rest}`
        ? InList<Rest>
        : Text extends `<${infer Name}>${infer Rest}`
          ? [Name extends `${infer Many}...` ? OneItem<Many, true> : OneItem<Name, false>, Rest]
          : never

type Alternatives<Text extends string, Before> =
  Front<Text> extends [infer Part, infer Rest extends string]
    ? Rest extends ` | ${infer Next}`
      ? Alternatives<Next, Before | Part>
      : Rest extends `)${infer Next}`
        ? [Choice<Before | Part>, Next]
        : never
    : never

type InList<Text extends string> = Text extends `<L${'>' | '?' | ' '}${string}` | `(${string}`
  ? Members<Text, [], false>
  : Text extends `<${infer Name}>...>${infer Rest}`
    ? Name extends `${string}>${string}`
      ? Members<Text, [], false>
      : [Items<Name>, Rest]
    : Text extends `<${string}`
      ? Members<Text, [], false>
      : Text extends `${infer Name}... ${infer Inner}`
        ? Front<Inner> extends [infer Member, `>${infer Rest}`]
          ? [Group<Name, Member>, Rest]
          : never
        : never

type Members<Text extends string, Before extends readonly unknown[], MayBeEmpty extends boolean> =
  Front<Text> extends [infer Part, infer Rest extends string]
    ? Rest extends ` ${infer Next}`
      ? Members<Next, [...Before, Part], MayBeEmpty>
      : Rest extends `>${infer Next}`
        ? [List<[...Before, Part], MayBeEmpty>, Next]
        : never
    : never

type Given<Part> =
  Part extends OneItem<infer Name, infer Many>
    ? Many extends true
      ? { readonly [Key in Name]?: GivenValue }
      : { readonly [Key in Name]: GivenValue }
    : Part extends Items<infer Name>
      ? { readonly [Key in Name]?: GivenValue }
      : Part extends Group<infer Name, infer Member>
        ? { readonly [Key in Name]?: Given<Member> | readonly Given<Member>[] }
        : Part extends List<infer Members, infer MayBeEmpty>
          ? MayBeEmpty extends true
            ? Partial<AllGiven<Members>>
            : AllGiven<Members>
          : Part extends Choice<infer Alternative>
            ? Given<Alternative>
            : unknown

type AllGiven<Parts extends readonly unknown[]> = Parts extends readonly [infer First, ...infer Others]
  ? Given<First> & AllGiven<Others>
  : unknown

type Read<Part> =
  Part extends OneItem<infer Name, boolean>
    ? { readonly [Key in Name]: ReadValue }
    : Part extends Items<infer Name>
      ? { readonly [Key in Name]: readonly ReadValue[] }
      : Part extends Group<infer Name, infer Member>
        ? { readonly [Key in Name]: readonly Read<Member>[] }
        : Part extends List<infer Members, infer MayBeEmpty>
          ? MayBeEmpty extends true
            ? Partial<AllRead<Members>>
            : AllRead<Members>
          : Part extends Choice<infer Alternative>
            ? Read<Alternative>
            : unknown

type AllRead<Parts extends readonly unknown[]> = Parts extends readonly [infer First, ...infer Others]
  ? Read<First> & AllRead<Others>
  : unknown
