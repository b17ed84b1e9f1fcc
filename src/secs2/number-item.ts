/** Numbers: a single one as itself, none or several as a typed array. */
export type NumberItem =
  | { readonly format: 'I1'; readonly value: number | Int8Array }
  | { readonly format: 'I2'; readonly value: number | Int16Array }
  | { readonly format: 'I4'; readonly value: number | Int32Array }
  | { readonly format: 'U1'; readonly value: number | Uint8Array }
  | { readonly format: 'U2'; readonly value: number | Uint16Array }
  | { readonly format: 'U4'; readonly value: number | Uint32Array }
  | { readonly format: 'F4'; readonly value: number | Float32Array }
  | { readonly format: 'F8'; readonly value: number | Float64Array }
  | { readonly format: 'I8'; readonly value: bigint | BigInt64Array }
  | { readonly format: 'U8'; readonly value: bigint | BigUint64Array }
