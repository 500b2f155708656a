/** The others who may write a file or a folder of the person's: their models are told of skills, too. */
export const ownFiles = {
  others: ({ uid }: { uid: number }) => `belongs to another user (uid ${uid})`,
  everybody: "can be written by everybody",
  group: "can be written by its group",
};
