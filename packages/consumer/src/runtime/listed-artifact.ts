/** One line of a list of everything. */
export interface ListedArtifact {
  id: string;
  type: string;
  description: string;
}
