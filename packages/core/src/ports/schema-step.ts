/** A step of a store's schema, as it is named to an operator. */
export interface SchemaStep {
  number: number;
  name: string;
}
