// A first checkers bot in C#, for Crownhead and for the contest on CodinGame.
//
// It takes as many pieces as one move can; otherwise it prefers a move after which fewer of its own pieces
// are in danger; equals are decided at random. The place to make it stronger is `Worth`.

using System;

class Player
{
    static readonly Random Chance = new Random();

    // The piece on a square; a '#' outside the board. Row 0 is row 8, which is read first.
    static char At(char[][] board, int row, int column)
    {
        return row >= 0 && row < 8 && column >= 0 && column < 8 ? board[row][column] : '#';
    }

    // The board after a move: the piece is on the last square, and what it jumped over is gone.
    static char[][] Play(char[][] board, string move)
    {
        char[][] after = Array.ConvertAll(board, row => (char[])row.Clone());
        for (int i = 0; i + 3 < move.Length; i += 2) // "A3C5" is column A, row 3, then C, 5
        {
            int column = move[i] - 'A', row = '8' - move[i + 1];
            int nextColumn = move[i + 2] - 'A', nextRow = '8' - move[i + 3];
            after[nextRow][nextColumn] = after[row][column];
            after[row][column] = '.';
            if (Math.Abs(nextRow - row) == 2) after[(row + nextRow) / 2][(column + nextColumn) / 2] = '.';
        }
        return after;
    }

    // In how many ways the opponent could jump over a piece of mine.
    static int Dangers(char[][] board, string mine)
    {
        int count = 0;
        for (int row = 0; row < 8; row++)
        {
            for (int column = 0; column < 8; column++)
            {
                char piece = board[row][column];
                if (piece == '.' || mine.IndexOf(piece) >= 0) continue;
                for (int down = -1; down <= 1; down += 2)
                {
                    // Red's men go down the board, away from row 8, black's men go up, kings both ways.
                    if (piece == (down == 1 ? 'b' : 'r')) continue;
                    for (int right = -1; right <= 1; right += 2)
                    {
                        char over = At(board, row + down, column + right);
                        char behind = At(board, row + 2 * down, column + 2 * right);
                        if (mine.IndexOf(over) >= 0 && behind == '.') count++;
                    }
                }
            }
        }
        return count;
    }

    // The greater, the better. When one listed move is a jump, all are; so the longest name takes the most
    // pieces. Fewer than 100 dangers fit on a board, and a random number is less than 1.
    static double Worth(char[][] board, string mine, string move)
    {
        return 100 * move.Length - Dangers(Play(board, move), mine) + Chance.NextDouble();
    }

    static string NextLine()
    {
        string line = Console.ReadLine();
        if (line == null) Environment.Exit(0); // the input has ended: the game is over
        return line.Trim();
    }

    static void Main()
    {
        string mine = NextLine() == "b" ? "bB" : "rR"; // red is told "r" or "w"
        while (true)
        {
            char[][] board = new char[8][];
            for (int row = 0; row < 8; row++) board[row] = NextLine().ToCharArray();
            string best = "";
            double bestWorth = double.NegativeInfinity;
            for (int count = int.Parse(NextLine()); count > 0; count--)
            {
                string move = NextLine();
                double moveWorth = Worth(board, mine, move);
                if (moveWorth > bestWorth)
                {
                    best = move;
                    bestWorth = moveWorth;
                }
            }
            Console.WriteLine(best);
            Console.Out.Flush();
        }
    }
}
