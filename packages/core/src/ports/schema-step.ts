export interface SchemaStep {
  number: number;
  name: string;
}
