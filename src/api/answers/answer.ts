/** A reply with a status other than the first that the contract has for the endpoint. */
export class Answer<T> {
  constructor(
    readonly status: number,
    readonly body: T,
  ) {}
}
