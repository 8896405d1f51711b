export interface ListedArtifact {
  id: string;
  type: string;
  description: string;
}
