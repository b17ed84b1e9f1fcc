import { type StaticDecode, Type } from 'typebox'

const Ids = Type.Array(Type.String())
const Amount = Type.Integer({ minimum: 0 })
/** Items as they are on the wire; base64 in JSON. */
const Bytes = Type.Codec(Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' }))
  .Decode((text): Uint8Array => Buffer.from(text, 'base64'))
  .Encode((bytes) => Buffer.from(bytes).toString('base64'))

/** A limit of a variable: S2F45's dead band. */
const LimitState = Type.Object({
  id: Amount,
  deadBand: Type.Object({ upper: Type.String(), lower: Type.String() }),
})

const SpoolState = Type.Object({
  active: Type.Boolean(),
  full: Type.Boolean(),
  total: Amount,
  started: Type.String(),
  filled: Type.String(),
  chosen: Type.Array(Type.Object({ stream: Amount, functions: Type.Array(Amount) })),
  messages: Type.Array(Type.Object({ stream: Amount, function: Amount, body: Bytes })),
})

const ProgramState = Type.Object({
  ppid: Type.String(),
  id: Bytes,
  body: Type.Optional(Bytes),
  /** A list of MDLN, SOFTREV and the commands. */
  formatted: Type.Optional(Bytes),
})
export type ProgramState = StaticDecode<typeof ProgramState>

/** The state that GEM keeps while the power of an equipment is off (SEMI E30), and its clock. */
export const Retained = Type.Object({
  /** Whether the operator's switch is at remote. */
  remote: Type.Boolean(),
  /** From this computer's time to the equipment's, in milliseconds. */
  ahead: Type.Number(),
  /** Typed values by id. */
  constants: Type.Record(Type.String(), Type.Unknown()),
  reports: Type.Array(Type.Object({ id: Type.String(), variables: Ids })),
  links: Type.Array(Type.Object({ event: Type.String(), reports: Ids })),
  enabledEvents: Ids,
  enabledAlarms: Ids,
  limits: Type.Array(Type.Object({ variable: Type.String(), limits: Type.Array(LimitState) })),
  /** Those that a host may change. */
  programs: Type.Array(ProgramState),
  spool: Type.Optional(SpoolState),
})
export type Retained = StaticDecode<typeof Retained>
